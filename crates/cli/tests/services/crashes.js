console.error('cannot find my configuration');
process.exit(7);
