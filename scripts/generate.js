// Writes the generated files (`npm run generate`). Run it after a change of the contract, settings,
// limits, flow documents or migrations, and review the difference before you commit it.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generated } from './generated.js'
import { generateSchema, isSchemaCurrent, schemaPath } from './schema.js'
import { installTools } from './tools.js'

await installTools('checks')
const files = generated()
if (!(await isSchemaCurrent())) files.push({ path: schemaPath, text: await generateSchema() })
for (const { path, text } of files) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  console.log(`wrote ${path}`)
}
