console.log('still loading the world');
setInterval(() => {}, 1000);
