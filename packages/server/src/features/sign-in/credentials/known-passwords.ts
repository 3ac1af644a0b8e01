// Rejects passwords that attackers guess first, as NIST SP 800-63B requires: known passwords, words,
// sequences, repetitions, and the names of the account and the server. A worker thread estimates the
// guesses, one password at a time, because that takes long for some passwords.
import { Worker } from 'node:worker_threads'
import { ApiError } from '@botstead/contract'
import { createSemaphore } from '@botstead/lib'

/** Of guesses, as powers of ten: the limit of zxcvbn between "somewhat" and "safely unguessable". */
const minGuesses = 8
/** The time grows with the square of the length. A password of this length is safe by its beginning, or not. */
const maxChecked = 72
const timeoutMs = 20_000
const maxWaiting = 20

const workerFile = new URL('../../../../dist/workers/password-worker.js', import.meta.url)
const turns = createSemaphore(1)
let waiting = 0

/**
 * `names` are words that belong to the account, such as its address. Throws InvalidPayload for a password
 * that is easy to guess, Unavailable if too many wait.
 */
export async function rejectKnownPassword(
  password: string,
  names: string[],
): Promise<void> {
  if (waiting >= maxWaiting)
    throw new ApiError('Unavailable', 'Too many people set a password: retry in a second')
  waiting++
  const turn = turns.acquire()
  try {
    await turn.granted
    const guesses = await estimate(toPlain(password), [
      'botstead',
      ...names.flatMap(toParts),
    ])
    if (guesses < minGuesses)
      throw new ApiError(
        'InvalidPayload',
        '`password` is easy to guess: it is a known password, or consists of known words, sequences, ' +
          'repetitions or your address. Choose four or more words that have nothing to do with each other',
      )
  } finally {
    turn.release()
    waiting--
  }
}

/** The form that is hashed, without invisible characters. */
const toPlain = (password: string) =>
  password.normalize('NFKC').replaceAll(/\p{C}/gu, '').slice(0, maxChecked)

/** The name itself, and its words of three letters or more. */
const toParts = (name: string) =>
  [name, ...name.split(/[^\p{L}\p{N}]+/u).filter(({ length }) => length > 2)].slice(0, 20)

function estimate(password: string, words: string[]): Promise<number> {
  const worker = new Worker(workerFile, {
    workerData: { password, words },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    env: {},
  })
  return new Promise<number>((resolve, reject) => {
    const failed = (cause?: unknown) =>
      reject(
        new ApiError('Unavailable', 'The password could not be checked: retry', {
          cause,
        }),
      )
    const timer = setTimeout(failed, timeoutMs)
    worker.once('message', resolve).once('error', failed).once('exit', failed)
    worker.once('exit', () => clearTimeout(timer))
  }).finally(() => worker.terminate())
}
