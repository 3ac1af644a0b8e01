// How services behave inside of a transaction. Each module states it beside the interface of its services.
// A service without a statement does not compile, nor does a statement that leaves out a method
// without a result: it is called for its effects, which would remain although the transaction fails.
import type { DeferredSteps, Effects, EffectTime, IsEffect } from '@botstead/lib'
import type { Database } from './database.ts'

/** From which a service for the inside of a transaction is made. */
export interface Inside<Services> {
  /** Works in the transaction. */
  database: Database
  afterwards: DeferredSteps
  /** The services outside of the transaction. */
  outside: Services
  /** The services inside of it, as far as they are made: in the order of their bindings. */
  services: Services
}

/** `unchanged`: the service has no method without a result, or is a key. */
type Behaviour<T> = T extends Buffer
  ? 'unchanged'
  : IsEffect<T> extends true
    ? EffectTime
    : keyof Effects<T> extends never
      ? 'unchanged'
      : Effects<T>

type Binding<T, Services> = Behaviour<NonNullable<T>> | ((inside: Inside<Services>) => T)

/** The bindings of the services `Own`. They may use the services `Needs`, if these are bound before. */
export type Bindings<Own, Needs = unknown> = {
  [Name in keyof Own]-?: Binding<Own[Name], Own & Needs>
}
