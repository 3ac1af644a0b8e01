// The port of a server: checked before the start changes anything, and opened.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartError } from '@botstead/lib'
import type { FastifyInstance } from 'fastify'
import type { Section } from '../core/config/index.ts'

/** Throws StartError if the port cannot be used, before the start creates keys and a database. */
export async function checkPort({ host, port }: Section<'http'>): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(listenErrorMessage(error as NodeJS.ErrnoException, host, port))
  }
  server.close()
  await once(server, 'close')
}

/** Listens, and returns the URL at which clients on this machine reach the server. */
export async function listen(
  server: FastifyInstance,
  { host, port }: Section<'http'>,
): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    throw new StartError(listenErrorMessage(error as NodeJS.ErrnoException, host, port))
  }
  const { port: actual } = server.server.address() as AddressInfo
  return `http://${reachableHost(host)}:${actual}`
}

/** Returns the host for URLs of a server that listens on `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function listenErrorMessage(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the other program, or set BOTSTEAD_PORT to another port`
  if (code === 'EACCES')
    return `This user has no permission to use port ${port}: set BOTSTEAD_PORT to a port above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}: set BOTSTEAD_HOST to an address of this machine`
  return `The server cannot listen on ${host}:${port} (BOTSTEAD_HOST, BOTSTEAD_PORT): ${message}`
}
