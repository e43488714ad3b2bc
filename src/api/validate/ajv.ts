// The validator with the formats and the named schemas that requests use.

import { Ajv, type Options } from 'ajv'
import { isDecimal, isHttpsUrl, isLine, isName, isProse, isUuid } from '../parse/text.ts'
import { isDate, isTime } from '../parse/time.ts'
import { components } from '../schemas/components.ts'

export function newAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({
    allowUnionTypes: true,
    // Messages contain the invalid value.
    verbose: true,
    removeAdditional: false,
    // A test validates the schemas; doing so at every start would take long.
    validateSchema: false,
    ...options,
  })
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date', isDate)
  ajv.addFormat('date-time', isTime)
  ajv.addFormat('decimal', isDecimal)
  ajv.addFormat('https-url', isHttpsUrl)
  ajv.addFormat('line', isLine)
  ajv.addFormat('name', isName)
  ajv.addFormat('prose', isProse)
  for (const component of components) ajv.addSchema(component)
  return ajv
}
