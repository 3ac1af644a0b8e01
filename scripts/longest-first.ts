// Runs the longest test files first, so that none runs alone at the end.
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that start servers, browsers and bots. A fresh checkout has no recorded durations to sort
 * by.
 */
export const longFiles = [
  'listing-plans',
  'crash',
  'command-line',
  'atomicity',
  'official-cli',
  'chat-page',
  'official-chat',
  'backlog',
  'repeated-messages',
  'two-servers',
  'bad-bots',
  'idempotency-crash',
  'streams',
  'flow-bots',
  'failover',
  'workflow-crash',
  'schedules-crash',
  'start-retries',
  'hosted-integrations',
  'deployments',
  'hostile-code',
  'failed-credentials',
  'archives',
  'embedded',
  'states-two-servers',
  'access-matrix',
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
