// Settings that the channels of Meta have in common.
import { secret, setting } from '../definitions.ts'

export const metaSettings = (
  tokenDescription: string,
  secretPlace = 'App settings, Basic',
) => ({
  accessToken: secret('Access token', tokenDescription),
  clientSecret: secret(
    'App secret',
    `In the Meta app: ${secretPlace}, App secret. Notifications are signed with it.`,
  ),
  verifyToken: secret(
    'Verify token',
    'A random text of your choice. Write the same one into the field "Verify token" at Meta.',
  ),
})

export const apiUrlSetting = (standard: string) =>
  setting('Address of the API', `Only for tests. Default: ${standard}`, {
    type: 'string',
    pattern: '^https?://',
  })
