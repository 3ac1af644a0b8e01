// Writes what is generated. Run it as `npm run generate`, after the contract has changed; look at the difference before committing it.
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
