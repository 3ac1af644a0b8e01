// Hashes passwords with scrypt, with the parameters that OWASP recommends. A hash takes 128 MB and
// some tenths of a second, so few are computed at a time and few wait: a flood of sign-ins exhausts
// neither memory nor the thread pool, which file access shares.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { createSemaphore } from '../../../infra/lib/semaphore.ts'

const current = { logN: 17, r: 8, p: 1 }
type Parameters = typeof current

const maxAtOnce = 2
const maxWaiting = 20
const turns = createSemaphore(maxAtOnce)
let present = 0

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return toText(current, salt, await derive(password, salt, current))
}

/** Takes as long without a hash, so that its time does not show which accounts have a password. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const { parameters, salt, derived } = parse(hash ?? unmatchable)
  const isSame = timingSafeEqual(await derive(password, salt, parameters), derived)
  return isSame && hash !== null
}

const toText = ({ logN, r, p }: Parameters, salt: Buffer, derived: Buffer) =>
  `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64')}$${derived.toString('base64')}`

const form = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/=]+)\$([\w+/=]+)$/

function parse(text: string) {
  const [, logN, r, p, salt, derived] = form.exec(text) ?? []
  if (!derived) throw new Error('A stored password hash has an unknown form')
  return {
    parameters: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt!, 'base64'),
    derived: Buffer.from(derived, 'base64'),
  }
}

const unmatchable = toText(current, Buffer.alloc(16), Buffer.alloc(32))

async function derive(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  if (present >= maxAtOnce + maxWaiting)
    throw new ApiError('Unavailable', 'Too many people sign in with a password: retry in a second')
  present++
  const turn = turns.acquire()
  try {
    await turn.granted
    return await scryptOf(password.normalize('NFKC'), salt, parameters)
  } finally {
    turn.release()
    present--
  }
}

function scryptOf(text: string, salt: Buffer, { logN, r, p }: Parameters): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 2 ** logN * r * 128 + 2 ** 20 }
  return new Promise((resolve, reject) =>
    scrypt(text, salt, 32, options, (error, derived) => (error ? reject(error) : resolve(derived))),
  )
}
