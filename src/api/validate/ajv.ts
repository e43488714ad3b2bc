// The validator with the formats and the named schemas that requests use.

import { _, Ajv, type Code, type KeywordCxt, type Options } from 'ajv'
import { tolerance } from '../../core/money.ts'
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
  addBound(ajv, 'minimum', ({ data, schemaCode }) => _`${data} < ${schemaCode} - ${tolerance}`)
  addBound(ajv, 'maximum', ({ data, schemaCode }) => _`${data} > ${schemaCode} + ${tolerance}`)
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

// Numbers are checked before they become steps, so a bound needs the tolerance of a step: floats
// compute 0.5001 - 0.5 as slightly less than 0.0001.
function addBound(ajv: Ajv, keyword: string, isOutside: (context: KeywordCxt) => Code): void {
  ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword,
    type: 'number',
    schemaType: 'number',
    error: { message: 'is out of bounds', params: ({ schemaCode }) => _`{ limit: ${schemaCode} }` },
    code: (context) => context.fail(isOutside(context)),
  })
}
