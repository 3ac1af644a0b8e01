import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Pieces } from '../invocation/pieces.ts'
import { createBodySender, maxTextBytes } from './body-stream.ts'

const size = 65_536
function pieces(count: number) {
  const taken = { count: 0 }
  const made = new Pieces(0, function* () {
    for (; taken.count < count; taken.count++) yield Buffer.alloc(size)
  })
  return { made, taken }
}

test('waits while the process does not read', async () => {
  let go = () => {}
  const stuck = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      go = done
    },
  })
  const { made, taken } = pieces(1_000)
  const sent = createBodySender(stuck).send(1, made, () => true)
  await setImmediate()
  expect(taken.count).toBeLessThan(3)
  stuck.destroy()
  go()
  expect(await sent).toBe(true)
  expect(taken.count).toBeLessThan(3)
})

test('writes frames with the invocation number, and an empty one at the end', async () => {
  const frames: Buffer[] = []
  const open = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      frames.push(chunk)
      done()
    },
  })
  const body = new Pieces(0, () => [Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')])
  expect(await createBodySender(open).send(7, body, () => true)).toBe(true)
  open.end()
  await once(open, 'finish')
  expect(Buffer.concat(frames).toString('hex')).toBe(
    '80000005000000076180000006000000076263' + '8000000400000007',
  )
})

test('stops at a body that is not a valid JavaScript string', async () => {
  const open = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const { made, taken } = pieces(2 * Math.ceil(maxTextBytes / size))
  expect(await createBodySender(open).send(1, made, () => true)).toBe(false)
  expect(taken.count * size).toBeLessThanOrEqual(maxTextBytes)
})
