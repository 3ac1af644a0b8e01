// Runs in a child process and computes the included model. A separate program, because the libraries of
// both kinds are optional.
import { openIncludedEncoder } from './included-encoder.ts'
import { serveModels } from './serve-models.ts'

serveModels(openIncludedEncoder)
