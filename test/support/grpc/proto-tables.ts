// Tables of what is in a proto file, made from its own comments as the compiler has kept them.

import { isFieldSet } from '@bufbuild/protobuf'
import type {
  DescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
} from '@bufbuild/protobuf/wkt'
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt'

/** By the name of each message, service and choice. */
export function protoTables(file: FileDescriptorProto): Map<string, string> {
  const comments = commentsOf(file)
  const messages = file.messageType.map((message, at) => {
    const rows = message.field.map((field, index) => {
      const meaning = [whenSet(field, message), comments.get(`4,${at},2,${index}`)]
      return [`\`${field.name}\``, typeOf(field), meaning.filter(Boolean).join(' ')]
    })
    return [message.name, table(['field', 'type', 'meaning'], rows)] as const
  })
  const services = file.service.map((service, at) => {
    const rows = service.method.map((method, index) => [
      `\`${method.name}\``,
      `${stream(method.clientStreaming)}${last(method.inputType)}`,
      `${stream(method.serverStreaming)}${last(method.outputType)}`,
      comments.get(`6,${at},2,${index}`) ?? '',
    ])
    return [service.name, table(['method', 'takes', 'answers', 'meaning'], rows)] as const
  })
  const choices = file.enumType.map((choice, at) => {
    const rows = choice.value.map(({ name, number }, index) => [
      `\`${name}\``,
      String(number),
      comments.get(`5,${at},2,${index}`) ?? '',
    ])
    return [choice.name, table(['choice', 'number', 'meaning'], rows)] as const
  })
  return new Map([...messages, ...services, ...choices])
}

/** Each on one line, by the path of what it describes. */
function commentsOf(file: FileDescriptorProto): Map<string, string> {
  const places = file.sourceCodeInfo?.location ?? []
  return new Map(
    places.map(({ path, leadingComments = '' }) => [
      path.join(','),
      leadingComments.trim().replace(/\s+/g, ' '),
    ]),
  )
}

function whenSet(field: FieldDescriptorProto, message: DescriptorProto): string {
  if (field.proto3Optional) return 'Optional.'
  // It reads as 0 where it is not set, too.
  if (!isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex)) return ''
  return `One of \`${message.oneofDecl[field.oneofIndex]!.name}\`.`
}

function typeOf({ type, typeName, label }: FieldDescriptorProto): string {
  const plain = typeName === '' ? FieldDescriptorProto_Type[type].toLowerCase() : last(typeName)
  return label === FieldDescriptorProto_Label.REPEATED ? `repeated ${plain}` : plain
}

function stream(isStream: boolean): string {
  return isStream ? 'stream of ' : ''
}

function last(name: string): string {
  return name.split('.').at(-1)!
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n').replace('| --- |', '|---|').replaceAll(' --- |', '---|')
}
