/// A PostgreSQL type, identified by its OID.
///
/// The OIDs of built-in types are fixed (`pg_type.dat` in PostgreSQL's sources) and part of the protocol.
public struct PostgresType: Hashable, Sendable, CustomStringConvertible {
    /// The type's OID.
    public let oid: UInt32
    /// The OID of arrays of this type; 0: none.
    package let arrayOID: UInt32
    /// The type's name, for messages.
    package let name: String

    /// Creates a type that is not in the list below, such as a type of an extension.
    package init(oid: UInt32, arrayOID: UInt32 = 0, name: String) {
        self.oid = oid
        self.arrayOID = arrayOID
        self.name = name
    }

    /// The name.
    public var description: String {
        name
    }

    /// The array type of this type.
    package var array: PostgresType {
        PostgresType(oid: arrayOID, name: name + "[]")
    }
}

extension PostgresType {
    /// `boolean`.
    package static let bool = PostgresType(oid: 16, arrayOID: 1000, name: "boolean")
    /// `bytea`.
    package static let bytea = PostgresType(oid: 17, arrayOID: 1001, name: "bytea")
    /// `name`, the type of identifiers in the system catalogue.
    package static let name = PostgresType(oid: 19, arrayOID: 1003, name: "name")
    /// `bigint`.
    package static let int8 = PostgresType(oid: 20, arrayOID: 1016, name: "bigint")
    /// `integer`.
    package static let int4 = PostgresType(oid: 23, arrayOID: 1007, name: "integer")
    /// `text`.
    package static let text = PostgresType(oid: 25, arrayOID: 1009, name: "text")
    /// `character(n)`.
    package static let bpchar = PostgresType(oid: 1042, arrayOID: 1014, name: "character")
    /// `character varying(n)`.
    package static let varchar = PostgresType(oid: 1043, arrayOID: 1015, name: "character varying")
    /// `timestamp with time zone`.
    package static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185, name: "timestamp with time zone")
    /// `jsonb`.
    package static let jsonb = PostgresType(oid: 3802, arrayOID: 3807, name: "jsonb")
}
