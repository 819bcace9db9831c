/// CBOR of authenticators: each value has one encoding, so a value that was read and is written again has the same bytes.
func fuzzCBOR(_ bytes: ArraySlice<UInt8>) {
    guard let value = try? CBOR(bytes) else { return }
    var again: [UInt8] = []
    var items = 0
    write(value, depth: 0, &again, &items)
    require(again.elementsEqual(bytes), "a value has two encodings")
    require(items <= CBORReader.itemsMax)
}

private func write(_ value: CBOR, depth: Int, _ bytes: inout [UInt8], _ items: inout Int) {
    items += 1
    require(depth <= CBORReader.depthMax)
    switch value {
    case .unsigned(let number): head(0, number, &bytes)
    case .negative(let number): head(1, number, &bytes)
    case .bytes(let content):
        head(2, UInt64(content.count), &bytes)
        bytes += content
    case .text(let text):
        head(3, UInt64(text.utf8.count), &bytes)
        bytes += Array(text.utf8)
    case .array(let list):
        head(4, UInt64(list.count), &bytes)
        for item in list { write(item, depth: depth + 1, &bytes, &items) }
    case .map(let members):
        head(5, UInt64(members.count), &bytes)
        for member in members {
            write(member.key, depth: depth + 1, &bytes, &items)
            write(member.value, depth: depth + 1, &bytes, &items)
        }
        for (place, member) in members.enumerated() {
            require(!members[..<place].contains { $0.key == member.key }, "a key is duplicated")
        }
    case .bool(let isSo): bytes.append(isSo ? 0xF5 : 0xF4)
    case .null: bytes.append(0xF6)
    }
}

private func head(_ kind: UInt8, _ number: UInt64, _ bytes: inout [UInt8]) {
    let count = number < 24 ? 0 : number < 0x100 ? 1 : number < 0x1_0000 ? 2 : number < 0x1_0000_0000 ? 4 : 8
    bytes.append(kind << 5 | (count == 0 ? UInt8(number) : 24 + UInt8(count.trailingZeroBitCount)))
    for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - place)))) }
}

/// An attestation object, or authenticator data alone: everything that is read is inside of it, and within its limits.
func fuzzAttestation(_ bytes: ArraySlice<UInt8>) {
    if let object = try? AttestationObject(bytes) {
        require(bytes.count <= AttestationObject.bytesMax && lies(object.written, in: bytes))
        check(try? object.authenticator, in: object.written)
    }
    check(try? AuthenticatorData(bytes), in: bytes)
}

private func check(_ data: AuthenticatorData?, in bytes: ArraySlice<UInt8>) {
    guard let data else { return }
    require(bytes.count <= AuthenticatorData.bytesMax && data.partyHash.elementsEqual(bytes.prefix(32)))
    require(
        (data.credential != nil) == data.flags.contains(.hasCredential),
        "the passkey does not agree with the flag for it")
    guard let made = data.credential else { return }
    require(AuthenticatorData.idBytes.contains(made.id.count) && lies(made.id, in: bytes))
    require(made.writtenKey.count <= COSEKey.bytesMax && lies(made.writtenKey, in: bytes))
    require((try? CBOR(made.writtenKey)).flatMap { try? COSEKey($0) } == made.key, "a stored key differs")
    switch made.key {
    case .es256(let x, let y): require(x.count == 32 && y.count == 32)
    case .ed25519(let x): require(x.count == 32)
    case .rs256(let modulus, let exponent):
        require((256...512).contains(modulus.count) && (1...COSEKey.exponentBytesMax).contains(exponent.count))
    }
}

private func lies(_ part: ArraySlice<UInt8>, in whole: ArraySlice<UInt8>) -> Bool {
    part.startIndex >= whole.startIndex && part.endIndex <= whole.endIndex
}

/// Client data of a browser: data that was read and is written again reads the same.
func fuzzClientData(_ bytes: ArraySlice<UInt8>) {
    guard let said = try? ClientData(bytes) else { return }
    require(bytes.count <= ClientData.bytesMax)
    var json = JSONWriter()
    json.beginObject()
    json.member("type", said.kind.rawValue)
    json.member("challenge", said.challenge)
    json.member("origin", said.origin)
    json.member("crossOrigin", said.isCrossOrigin)
    json.endObject()
    // Escapes make it longer.
    guard json.bytes.count <= ClientData.bytesMax else { return }
    require((try? ClientData(json.bytes[...])) == said, "client data changes when it is written again")
}

/// A form: fields are text, and the same when they are sent again.
func fuzzForms(_ bytes: ArraySlice<UInt8>) {
    guard let form = FormFields(Array(bytes)) else { return }
    let names: [StaticString] = ["form", "email", "answer", "client"]
    var again = names.map { "\($0)=\(PercentCoding.encode(form.value(of: $0)))" }.joined(separator: "&")
    if again.utf8.count > FormFields.bytesMax { again = "" }
    guard !again.isEmpty, let other = FormFields(Array(again.utf8)) else {
        return require(again.isEmpty, "a form cannot be sent again")
    }
    for name in names {
        require(other.value(of: name) == form.value(of: name), "a field changes when it is sent again")
        require(form.bytes(of: name).count <= bytes.count)
    }
}
