#!/usr/bin/env node
import { existsSync } from 'node:fs'

if (existsSync(new URL('../dist/main.js', import.meta.url))) await import('../dist/main.js')
else {
  console.error('botstead: not built yet; run "npm install && npm run build" first')
  process.exitCode = 1
}
