// Reflection, for clients without the proto file. The descriptor of outcry.proto comes from the
// compiler: the loader would lose which fields are optional.

import { readFileSync } from 'node:fs'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { loadSync } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { protoPath as healthProto } from 'grpc-health-check'

const descriptorFile = new URL('generated/outcry.binpb', import.meta.url)
const format = 'Protocol Buffer 3 DescriptorProto'

export function reflection(): ReflectionService {
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(descriptorFile))
  const own = file.map((each) => Buffer.from(toBinary(FileDescriptorProtoSchema, each)))
  const health = loadSync(healthProto, { keepCase: true })
  return new ReflectionService({
    ...health,
    outcry: { format, type: {}, fileDescriptorProtos: own },
  })
}
