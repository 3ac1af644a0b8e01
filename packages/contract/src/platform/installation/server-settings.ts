import { Type as T, type TObject } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'
import {
  ServerSettingsChange,
  settingFields,
} from '../../models/installation/server-settings.ts'
import { operation } from '../../operation.ts'

const settings = '/v1/platform/installation/settings'

const toSetting = <Value extends TObject>(value: Value) =>
  closed({
    /** Null if it is not set in the dashboard. */
    value: nullable(value),
    /** The environment variable of the server that wins over the value; null without one. */
    setBy: nullable(T.String()),
    updatedAt: nullable(Timestamp),
  })

const { address, model, backups, mail } = settingFields

/** For owners of the installation's first workspace. */
export const serverSettings = {
  getServerSettings: operation({
    method: 'GET',
    path: settings,
    access: 'account',
    summary: 'Get the settings made in the dashboard',
    description:
      'For owners of the first workspace. Keys and passwords are never returned: `hasKey` and ' +
      '`hasPassword` are true if they are stored.',
    response: closed({
      address: toSetting(closed(address)),
      /** The address that is in use. */
      publicUrl: T.String(),
      model: toSetting(closed({ ...model, hasKey: T.Boolean() })),
      embeddings: toSetting(closed({ ...model, hasKey: T.Boolean() })),
      backups: toSetting(closed(backups)),
      mail: toSetting(closed({ ...mail, hasPassword: T.Boolean() })),
      /** E-mails that wait, and the newest failure. */
      outgoingMail: closed({
        pending: T.Integer({ minimum: 0 }),
        failure: nullable(
          closed({ at: Timestamp, recipient: T.String(), reason: T.String() }),
        ),
      }),
    }),
    errors: ['Forbidden'],
  }),
  setServerSettings: operation({
    method: 'PUT',
    path: settings,
    access: 'account',
    summary: 'Set or remove settings of the installation',
    description:
      'For owners of the first workspace. Replaces each setting that the request has; null removes one. ' +
      'They take effect at once, on all servers of the database. A setting of an environment variable ' +
      'cannot be replaced. Without `key` or `password` the stored one stays; if the address or the user ' +
      'changes, it must be sent again.',
    body: ServerSettingsChange,
    response: closed({}),
    errors: ['Forbidden', 'ReferenceConstraint'],
  }),
  testServerSettings: operation({
    method: 'POST',
    path: `${settings}/test`,
    access: 'account',
    audit: false,
    summary: 'Test one setting without storing it',
    description:
      'For owners of the first workspace. Requests the address, asks the model, computes the next backup, ' +
      'or sends a test e-mail to `recipient`. Without `key` or `password`, the stored one is used.',
    body: closed({
      setting: T.Object(ServerSettingsChange.properties, {
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 1,
      }),
      recipient: T.Optional(T.String({ format: 'email', maxLength: 254 })),
    }),
    response: closed({
      isGood: T.Boolean(),
      /** The result, or the reason and the remedy. */
      message: T.String(),
    }),
    errors: ['Forbidden'],
  }),
}
