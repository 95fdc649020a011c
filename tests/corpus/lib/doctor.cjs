// @ts-check
// Prints the category that clinic doctor gives to what it collected, by the analysis that its report is drawn from:
// `node doctor.cjs MODULES DIRECTORY`, with the node_modules in which clinic is installed.
const { createReadStream } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [modules = '', path = ''] = process.argv.slice(2);
const doctor = createRequire(join(modules, '@clinic/doctor/index.js'));
const Analysis = doctor('./analysis/index.js');
const paths = doctor('@clinic/clinic-common').getLoggingPaths('doctor')({ path });

/** @param {string} file @param {NodeJS.ReadWriteStream} decoder */
const read = (file, decoder) => createReadStream(paths[file]).pipe(decoder);

const system = read('/systeminfo', new (doctor('./format/system-info-decoder.js'))());
const traces = read('/traceevent', new (doctor('./format/trace-event-decoder.js'))(system));
const samples = read('/processstat', new (doctor('./format/process-stat-decoder.js'))());
new Analysis(system, traces, samples).on(
  'data',
  (/** @type {{ issueCategory: string }} */ { issueCategory }) => {
    process.stdout.write(`${issueCategory}\n`);
  },
);
