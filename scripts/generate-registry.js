// Writes the lists of the contract and of handlers, which the sources import, before the build that
// `npm run generate` needs for its other files.
import { writeIfChanged } from './build/files.js'
import { handlerLists } from './documents/handlers.js'
import { generateRegistry } from './generated/registry.js'

for (const { path, text } of [...generateRegistry(), ...handlerLists()])
  if (writeIfChanged(path, text)) console.log(`wrote ${path}`)
