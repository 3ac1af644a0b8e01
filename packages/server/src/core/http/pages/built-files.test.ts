import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BuiltFiles } from './built-files.ts'

let folder: string
const server = fastify()
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-files-'))
  for (const name of ['read.js', 'unread.js'])
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(`// ${name}`))
  const files = new BuiltFiles(pathToFileURL(`${folder}/`))
  server.get('/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    return files.has(name)
      ? files.send(request, reply, { name, headers: {} })
      : reply.callNotFound()
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('an upgrade removes files: those in memory remain, others are not found', async () => {
  expect((await server.inject('/read.js')).body).toBe('// read.js')
  rmSync(folder, { recursive: true })
  expect((await server.inject('/read.js')).body).toBe('// read.js')
  expect((await server.inject('/unread.js')).statusCode).toBe(404)
  const headers = { 'accept-encoding': 'br' }
  expect((await server.inject({ url: '/unread.js', headers })).statusCode).toBe(404)
})
