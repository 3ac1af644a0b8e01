// Builds one of the pages, which the argument names, in a process beside the server.
import { setPriority } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { pages } from './pages.js'

// The parent has ended.
process.on('disconnect', () => process.exit(1))
try {
  setPriority(10)
} catch {
  // A sandbox may forbid it.
}
const [name] = process.argv.slice(2)
try {
  await pages[name].build()
  process.send({ status: 'ready' }, () => process.exit(0))
} catch (error) {
  const text = stripVTControlCharacters(String(error?.message ?? error))
  process.send({ status: 'failed', error: text.trim() }, () => process.exit(1))
}
