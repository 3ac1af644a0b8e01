// The command line.
import { createProgram } from './program.ts'

// The reader of a pipe, such as `head`, may end first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
await createProgram().parseAsync()
