module.exports = 'loaded';
