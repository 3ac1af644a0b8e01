// Writes the generated files (`npm run generate`). Run it after a change of the contract, settings, limits or
// flow documents, and review the difference before you commit it.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generated } from './generated.js'

for (const { path, text } of generated()) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  console.log(`wrote ${path}`)
}
