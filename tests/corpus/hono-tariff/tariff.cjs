module.exports = [
  { up_to_kg: 1, cents: 390 },
  { up_to_kg: 5, cents: 690 },
  { up_to_kg: 20, cents: 1290 },
];
