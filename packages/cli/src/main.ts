// The command line.
import { makeProgram } from './program.ts'

await makeProgram().parseAsync()
