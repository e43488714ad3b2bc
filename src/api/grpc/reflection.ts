// Reflection, for clients without the proto files. The descriptors come from the compiler: a loader
// would lose which fields are optional, and tools refuse the descriptors that it makes.

import { readFileSync } from 'node:fs'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { ReflectionService } from '@grpc/reflection'

const descriptorFiles = ['outcry.binpb', 'health.binpb']
const format = 'Protocol Buffer 3 DescriptorProto'

export function reflection(): ReflectionService {
  const descriptors = descriptorFiles.flatMap((name) => {
    const bytes = readFileSync(new URL(`generated/${name}`, import.meta.url))
    const { file } = fromBinary(FileDescriptorSetSchema, bytes)
    return file.map((each) => Buffer.from(toBinary(FileDescriptorProtoSchema, each)))
  })
  return new ReflectionService({
    all: { format, type: {}, fileDescriptorProtos: descriptors },
  })
}
