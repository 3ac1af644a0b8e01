// Runs in a network namespace without interfaces, to which nothing can connect: starts a server, and installs
// channels in its first bot. Connections to the ports of providers leave through sockets in the file system.
//   node behind-wall.mjs <json>
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** `doors`: paths of sockets by port. `channels`: configurations by name. */
const { commandLine, data, doors, channels } = JSON.parse(process.argv[2])

for (const [port, path] of Object.entries(doors))
  createServer((inside) => {
    const outside = connect(path)
    inside.pipe(outside).pipe(inside)
    for (const socket of [inside, outside])
      socket.on('error', () => {
        inside.destroy()
        outside.destroy()
      })
  }).listen(Number(port), '127.0.0.1')

const server = spawn(process.execPath, [commandLine, 'start'], { stdio: 'inherit' })
process.on('SIGTERM', () => server.kill())
server.on('exit', (code) => process.exit(code ?? 1))

const file = join(data, 'credentials.json')
const read = () => JSON.parse(readFileSync(file, 'utf8'))
while (!existsSync(file)) await pause(100)
while (!(await fetch(`${read().url}/readyz`).catch(() => null))?.ok) await pause(100)
// Complete when the server is ready.
const { url, token, workspaceId, botId } = read()

async function call(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

const integrations = {}
for (const [name, configuration] of Object.entries(channels)) {
  const hub = await call('GET', `/v1/admin/hub/integrations?name=${name}`)
  integrations[name] = {
    integrationId: hub.integrations[0].id,
    enabled: true,
    configuration,
  }
}
const { bot } = await call('PUT', `/v1/admin/bots/${botId}`, { integrations })
const states = Object.values(bot.integrations)
  .filter(({ name }) => name in channels)
  .map(({ name, status, statusReason }) => ({ name, status, statusReason }))
console.log(`installed: ${JSON.stringify(states)}`)
