// The command line.
import { createProgram } from './program.ts'

await createProgram().parseAsync()
