import { major } from 'semver'

/** As the package of the official sources that adds secrets to many integrations. */
export const commonSecrets = {
  TRACE_URL: { optional: true, description: 'Where errors go' },
}
export const toShelf = (version: string) => `shelf ${major(version)}`
