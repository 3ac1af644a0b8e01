// The environment that code written for a serverless Node expects. What the bot configures itself is laid over it.

/** Where the code may write, where it may write at all (way.ts). */
export const temporaryFolder = '/tmp'

export const serverlessNode: Readonly<Record<string, string>> = {
  HOME: temporaryFolder,
  TMPDIR: temporaryFolder,
  LANG: 'en_US.UTF-8',
  TZ: 'UTC',
  NODE_ENV: 'production',
  // The runtime of agents takes any process without it for a command line. The value names who really runs the code, and
  // nothing else of AWS is set: libraries that look for its region, role or traces find none.
  AWS_LAMBDA_FUNCTION_NAME: 'botstead',
}
