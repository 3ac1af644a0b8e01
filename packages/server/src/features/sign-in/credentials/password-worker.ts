// Runs in a worker thread: estimates how many guesses a password needs, with lists of known passwords and
// words, sequences, keyboard patterns and repetitions. That may last a second for hostile passwords.
import { parentPort, workerData } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const { password, words } = workerData as { password: string; words: string[] }
const estimate = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
parentPort!.postMessage(estimate.check(password, words).guessesLog10)
