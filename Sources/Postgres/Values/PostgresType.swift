/// A type of PostgreSQL, known by its object identifier.
///
/// The identifiers of built-in types are fixed (`pg_type.dat` in PostgreSQL's sources) and part of the wire protocol.
public struct PostgresType: Hashable, Sendable, CustomStringConvertible {
    /// The type's object identifier.
    public let oid: UInt32
    /// The object identifier of arrays of this type; 0 when there is none.
    public let arrayOID: UInt32
    /// The type's name, for messages.
    public let name: String

    /// Describes a type that is not in the list below, such as one of an extension.
    public init(oid: UInt32, arrayOID: UInt32 = 0, name: String) {
        self.oid = oid
        self.arrayOID = arrayOID
        self.name = name
    }

    /// The name.
    public var description: String {
        name
    }

    /// The type of arrays of this type.
    public var array: PostgresType {
        PostgresType(oid: arrayOID, name: name + "[]")
    }
}

extension PostgresType {
    /// `boolean`.
    public static let bool = PostgresType(oid: 16, arrayOID: 1000, name: "boolean")
    /// `bytea`.
    public static let bytea = PostgresType(oid: 17, arrayOID: 1001, name: "bytea")
    /// `name`, of the identifiers in the system catalogue.
    public static let name = PostgresType(oid: 19, arrayOID: 1003, name: "name")
    /// `bigint`.
    public static let int8 = PostgresType(oid: 20, arrayOID: 1016, name: "bigint")
    /// `integer`.
    public static let int4 = PostgresType(oid: 23, arrayOID: 1007, name: "integer")
    /// `text`.
    public static let text = PostgresType(oid: 25, arrayOID: 1009, name: "text")
    /// `character(n)`.
    public static let bpchar = PostgresType(oid: 1042, arrayOID: 1014, name: "character")
    /// `character varying(n)`.
    public static let varchar = PostgresType(oid: 1043, arrayOID: 1015, name: "character varying")
    /// `timestamp with time zone`.
    public static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185, name: "timestamp with time zone")
    /// `jsonb`.
    public static let jsonb = PostgresType(oid: 3802, arrayOID: 3807, name: "jsonb")
}
