/** Whether only this computer can reach a host. */
export const isLocalHost = (hostname: string) =>
  /^(localhost|127\..*|\[::1\])$/.test(hostname)
