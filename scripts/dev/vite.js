// Serves the dashboard's modules with Vite on the port that the argument names. Pages get them through the
// server, below /@dashboard/, and changes from here.
import { join } from 'node:path'
import { root } from '../build/files.js'
import { installTools } from '../tools.js'

process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
const port = Number(process.argv[2])
await installTools('pages')
const { createServer } = await import('vite')
const host = '127.0.0.1'
const server = await createServer({
  root: join(root, 'packages/dashboard'),
  base: '/@dashboard/',
  clearScreen: false,
  logLevel: 'warn',
  // The server replaces it in each page.
  html: { cspNonce: '{{nonce}}' },
  server: {
    host,
    port,
    strictPort: true,
    ws: { host, clientPort: port, protocol: 'ws' },
  },
})
await server.listen()
// Prepares the modules before the first page asks for them.
await server.warmupRequest('/src/main.tsx')
process.send('ready')
