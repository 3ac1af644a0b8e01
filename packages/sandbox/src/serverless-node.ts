// The environment that code for a serverless Node expects. The bot's own variables override it.

/** The only folder that code may write, where it may write at all (isolation.ts). */
export const temporaryFolder = '/tmp'

export const serverlessNode: Readonly<Record<string, string>> = {
  HOME: temporaryFolder,
  TMPDIR: temporaryFolder,
  LANG: 'en_US.UTF-8',
  TZ: 'UTC',
  NODE_ENV: 'production',
  // Without it, the agent runtime assumes that it runs in a command line. The value names the real
  // host, and no other AWS variable is set, so libraries find no AWS region, role or trace.
  AWS_LAMBDA_FUNCTION_NAME: 'botstead',
}
