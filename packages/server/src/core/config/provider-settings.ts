// Settings of external providers.

export interface ModelSettings {
  /** Base URL; the path of the operation is appended. */
  url: string
  key: string | null
  model: string
}

export interface OpenIdSettings {
  issuer: URL
  clientId: string
  /** Null for a public client. */
  clientSecret: string | null
  /** The provider's name on the page. */
  name: string
  scopes: string
  groupsClaim: string
  /** Pairs of group and role; the first group of a person counts. Empty if groups give no roles. */
  roles: [group: string, role: string][]
  /** The workspace in which groups give roles; null for the first one. */
  workspaceId: string | null
}

export interface MailSettings {
  host: string
  port: number
  /** `tls` from the beginning, `starttls` after it. */
  security: 'tls' | 'starttls' | 'none'
  /** Null: the server needs no sign-in. */
  user: string | null
  password: string | null
  /** An address, or a name and an address in angle brackets. */
  from: string
}

export interface S3Settings {
  /** The store's URL without the bucket and without a trailing slash. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}
