// Tunnels of `bp dev`.
import { readInteger, readWord } from '../environment.ts'

export interface TunnelSection {
  /**
   * BOTSTEAD_TUNNELS: Tunnels of `bp dev` that may be open in one server, shared equally between client
   * addresses; 0 disables them.
   */
  tunnels: number
  /**
   * BOTSTEAD_TUNNEL_ACCESS: Clients that may open tunnels of `bp dev`: `local`, those of this machine,
   * and others with a personal access token as the path of `--tunnel-url`; `token`, only with such a
   * token; `all`, everyone who reaches the server.
   */
  tunnelAccess: 'local' | 'token' | 'all'
}

export const readTunnelSection = (env: NodeJS.ProcessEnv): TunnelSection => ({
  tunnels: readInteger(env, 'BOTSTEAD_TUNNELS', 100, 0, 10_000),
  tunnelAccess: readWord(env, 'BOTSTEAD_TUNNEL_ACCESS', ['local', 'token', 'all']),
})
