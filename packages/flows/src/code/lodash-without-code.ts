import lodash from 'lodash'
import { barred } from './no-code-from-text.ts'

/** Its `template` throws EvalError: it would compile text outside of the realm. */
export const lodashWithoutCode = lodash.runInContext({
  Function: barred(Function.prototype),
})
