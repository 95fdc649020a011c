// 1,000 posts of 50 users, the same every time.
const posts = Array.from({ length: 1000 }, (_, index) => ({
  id: index + 1,
  userId: (index * 7) % 50,
  title: `Post ${(index * 7919) % 1000}`,
  body: 'All that is gold does not glitter. '.repeat(6),
}));

module.exports = () => ({ posts });
