// Hashes passwords with scrypt, with the parameters that OWASP recommends. A hash takes 128 MB and
// some tenths of a second, so few are computed at a time and few wait (hash-queue.ts): a flood of
// sign-ins exhausts neither memory nor the thread pool, which file access shares, nor all cores.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { HashQueue } from './hash-queue.ts'

const current = { logN: 17, r: 8, p: 1 }
type Parameters = typeof current

const cores = availableParallelism()
const queue = new HashQueue({ atOnce: Math.max(1, Math.min(2, cores - 1)), waiting: 20 })

/** Waits for its turn, which clients take by their address. Throws Unavailable if too many wait. */
export async function hashPassword(password: string, address: string): Promise<string> {
  const salt = randomBytes(16)
  return toText(current, salt, await derive(password, salt, current, address))
}

/**
 * Takes as long without a hash, so that its time does not show which accounts have a password.
 * Throws the errors of `hashPassword`.
 */
export async function isPassword(
  password: string,
  hash: string | null,
  address: string,
): Promise<boolean> {
  const { parameters, salt, derived } = parse(hash ?? unmatchable)
  const isSame = timingSafeEqual(
    await derive(password, salt, parameters, address),
    derived,
  )
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

const derive = (
  password: string,
  salt: Buffer,
  parameters: Parameters,
  address: string,
): Promise<Buffer> =>
  queue.run(address, () => hashWithScrypt(password.normalize('NFKC'), salt, parameters))

function hashWithScrypt(
  text: string,
  salt: Buffer,
  { logN, r, p }: Parameters,
): Promise<Buffer> {
  const options: ScryptOptions = {
    N: 2 ** logN,
    r,
    p,
    maxmem: 2 ** logN * r * 128 + 2 ** 20,
  }
  return new Promise((resolve, reject) =>
    scrypt(text, salt, 32, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    ),
  )
}
