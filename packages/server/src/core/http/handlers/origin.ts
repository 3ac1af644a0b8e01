import type { Context } from '../services.ts'

/** Returns the URL at which this caller reaches the server, without a trailing slash. */
export const getOrigin = ({ services, request }: Pick<Context<unknown>, 'services' | 'request'>) =>
  services.config.publicUrl ?? `${request.protocol}://${request.host}`
