// Writes the generated files (`npm run generate`), or the row types of tables alone
// (`npm run generate -- schema`). Run it after a change of the contract, settings,
// limits, flow documents or migrations, and review the difference before you commit it.
import { writeIfChanged } from './build/files.js'
import { generated } from './generated/generated.js'
import { generateSchema, isSchemaCurrent, schemaPath } from './schema.js'
import { installTools } from './tools.js'

await installTools('checks')
const files = process.argv.includes('schema') ? [] : generated()
if (!(await isSchemaCurrent()))
  files.push({ path: schemaPath, text: await generateSchema() })
const changed = files.filter(({ path, text }) => writeIfChanged(path, text))
for (const { path } of changed) console.log(`wrote ${path}`)
if (changed.length === 0) console.log('All generated files were up to date.')
