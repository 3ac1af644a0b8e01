// The package has no types.
declare module 'oidc-provider' {
  const Provider: new (
    issuer: string,
    configuration: object,
  ) => {
    callback(): (request: unknown, reply: { end(): void }) => void
  }
  export default Provider
}
