// Runs the longest test files first, so that none runs alone at the end.
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that start servers, browsers and bots. A fresh checkout has no recorded durations to sort
 * by. Files that mostly wait (such as crash, backlog, failover) alternate with files that use the
 * processor, because four files run at a time on two cores.
 */
export const longFiles = [
  'listing-plans',
  'crash',
  'command-line',
  'official-cli',
  'moves',
  'two-servers',
  'tutorials',
  'backlog',
  'atomicity',
  'chat-page',
  'failover',
  'access-matrix',
  'bad-bots',
  'official-chat',
  'official-webchat',
  'repeated-messages',
  'streams',
  'reverse-proxies',
  'hosted-integrations',
  'flow-bots',
  'deployments',
  'idempotency-crash',
  'workflow-crash',
  'embedded',
  'schedules-crash',
  'handoffs-crash',
  'start-retries',
  'hostile-code',
  'failed-credentials',
  'archives',
  'states-two-servers',
  'pgbouncer',
  'replica',
]

function rank({ moduleId }: TestSpecification): number {
  const index = longFiles.indexOf(basename(moduleId, '.test.ts'))
  return index < 0 ? longFiles.length : index
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
