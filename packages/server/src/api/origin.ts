import type { Context } from '../services.ts'

/** Where this caller reaches the server, without a slash at the end. */
export const originOf = ({ services, request }: Pick<Context<unknown>, 'services' | 'request'>) =>
  services.config.publicUrl ?? `${request.protocol}://${request.host}`
