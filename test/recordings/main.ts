import { run } from './checkFolder.js';

process.exitCode = await run(process.argv.slice(2), (line) => console.log(line));
