// Writes the lists of the contract and of handlers, which the sources import, before the build that
// `npm run generate` needs for its other files.
import { readFileSync, writeFileSync } from 'node:fs'
import { handlerLists } from './documents/handlers.js'
import { generateRegistry } from './registry.js'

for (const { path, text } of [...generateRegistry(), ...handlerLists()]) {
  const file = new URL(`../${path}`, import.meta.url)
  if (readText(file) !== text) writeFileSync(file, text)
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
