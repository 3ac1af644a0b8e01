// Runs in a child process and computes the operator's ONNX models.
import { openOnnxEncoder } from './encoder.ts'
import { serveModels } from './serve-models.ts'

serveModels(openOnnxEncoder)
