import ODataTestSupport
import Testing

@testable import ODataKit

/// Our own metadata documents, one for each generation.
enum MetadataFixtures {
  /// OData 2: associations with a dependent end and a derived type, feed customisation, an entity that is a stream, a
  /// vendor's attributes, and service operations.
  static let shop2 = """
    <?xml version="1.0" encoding="utf-8"?>
    <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
      <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Shop" Alias="Self" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData" xml:lang="en" sap:schema-version="1">
          <EntityType Name="Order" m:FC_TargetPath="SyndicationUpdated" m:FC_SourcePath="Placed" m:FC_KeepInContent="true">
            <Documentation><Summary>What a customer asked for.</Summary></Documentation>
            <Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Int32" Nullable="false" xmlns:a="http://schemas.microsoft.com/ado/2009/02/edm/annotation" a:StoreGeneratedPattern="Identity"/>
            <Property Name="Note" Type="Edm.String" MaxLength="Max" FixedLength="false" Unicode="true" m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="false"/>
            <Property Name="Placed" Type="Edm.DateTime" Precision="3"/>
            <Property Name="Total" Type="Edm.Decimal" Precision="19" Scale="4" DefaultValue="0" sap:label="Total &amp; tax"/>
            <Property Name="Version" Type="Edm.Binary" MaxLength="8" FixedLength="true" ConcurrencyMode="Fixed" Nullable="false"/>
            <Property Name="ShipTo" Type="Self.Address" Nullable="false" m:FC_TargetPath="geo/@city" m:FC_NsUri="urn:geo" m:FC_NsPrefix="g" m:FC_SourcePath="City" m:FC_KeepInContent="false" m:FC_TargetPath_1="geo/street" m:FC_NsUri_1="urn:geo" m:FC_NsPrefix_1="g" m:FC_SourcePath_1="Street"/>
            <NavigationProperty Name="Lines" Relationship="Shop.Order_Line" FromRole="Order" ToRole="Line"/>
          </EntityType>
          <EntityType Name="RushOrder" BaseType="Self.Order">
            <Property Name="Due" Type="Edm.DateTime" Nullable="false"/>
            <NavigationProperty Name="Courier" Relationship="Self.Rush_Courier" FromRole="RushOrder" ToRole="Courier"/>
          </EntityType>
          <EntityType Name="Line">
            <Key><PropertyRef Name="OrderId"/><PropertyRef Name="Number"/></Key>
            <Property Name="OrderId" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Number" Type="Edm.Int16" Nullable="false"/>
            <NavigationProperty Name="Order" Relationship="Shop.Order_Line" FromRole="Line" ToRole="Order"/>
          </EntityType>
          <EntityType Name="Courier" m:HasStream="true" Abstract="false">
            <Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
          </EntityType>
          <ComplexType Name="Address">
            <Property Name="Street" Type="Edm.String" MaxLength="60"/>
            <Property Name="City" Type="Edm.String" MaxLength="15"/>
          </ComplexType>
          <Association Name="Order_Line">
            <End Role="Order" Type="Self.Order" Multiplicity="1"><OnDelete Action="Cascade"/></End>
            <End Role="Line" Type="Shop.Line" Multiplicity="*"/>
            <ReferentialConstraint>
              <Principal Role="Order"><PropertyRef Name="Id"/></Principal>
              <Dependent Role="Line"><PropertyRef Name="OrderId"/></Dependent>
            </ReferentialConstraint>
          </Association>
          <Association Name="Rush_Courier">
            <End Role="RushOrder" Type="Shop.RushOrder" Multiplicity="*"/>
            <End Role="Courier" Type="Shop.Courier" Multiplicity="0..1"/>
          </Association>
          <EntityContainer Name="Other">
            <EntitySet Name="Things" EntityType="Shop.Line"/>
          </EntityContainer>
          <EntityContainer Name="Entities" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Orders" EntityType="Self.Order" sap:creatable="false"/>
            <EntitySet Name="Lines" EntityType="Shop.Line"/>
            <EntitySet Name="Couriers" EntityType="Shop.Courier"/>
            <AssociationSet Name="OrderLines" Association="Shop.Order_Line">
              <End Role="Order" EntitySet="Orders"/><End Role="Line" EntitySet="Lines"/>
            </AssociationSet>
            <AssociationSet Name="RushCouriers" Association="Self.Rush_Courier">
              <End Role="RushOrder" EntitySet="Orders"/><End Role="Courier" EntitySet="Couriers"/>
            </AssociationSet>
            <FunctionImport Name="OrdersOf" EntitySet="Orders" ReturnType="Collection(Self.Order)" m:HttpMethod="GET">
              <Parameter Name="customer" Type="Edm.String" Mode="In" MaxLength="5"/>
            </FunctionImport>
            <FunctionImport Name="Close" m:HttpMethod="POST"/>
          </EntityContainer>
        </Schema>
      </edmx:DataServices>
    </edmx:Edmx>
    """

  /// OData 3: two schemas with `Using`, spatial types and streams, collections, an open type, actions and functions among
  /// the function imports, vocabularies.
  static let shop3 = """
    <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
      <edmx:DataServices m:DataServiceVersion="1.0" m:MaxDataServiceVersion="3.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Demo.Types" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
          <EnumType Name="Color" UnderlyingType="Byte"><Member Name="Red"/><Member Name="Green" Value="5"/><Member Name="Blue"/></EnumType>
          <EntityType Name="Product" OpenType="true">
            <Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="Place" Type="Edm.GeographyPoint" SRID="Variable"/>
            <Property Name="Photo" Type="Edm.Stream" Nullable="false"/>
            <Property Name="Color" Type="Demo.Types.Color"/>
          </EntityType>
        </Schema>
        <Schema Namespace="Demo" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
          <Using Namespace="Demo.Types" Alias="T"/>
          <EntityContainer Name="Service" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Products" EntityType="T.Product"/>
            <FunctionImport Name="ByRating" ReturnType="Collection(T.Product)" EntitySet="Products" IsSideEffecting="false" IsComposable="true">
              <Parameter Name="rating" Type="Edm.Int16" Nullable="false"/>
            </FunctionImport>
            <FunctionImport Name="Discount" IsBindable="true" m:IsAlwaysBindable="true" EntitySetPath="product">
              <ReturnType Type="Edm.Double"/>
              <Parameter Name="product" Type="T.Product"/><Parameter Name="percentage" Type="Edm.Int32"/>
            </FunctionImport>
            <FunctionImport Name="Discount"><Parameter Name="percentage" Type="Edm.Int32"/></FunctionImport>
          </EntityContainer>
          <Annotations Target="T.Product/Tags" Qualifier="Phone">
            <ValueAnnotation Term="Org.OData.Display.V1.DisplayName" String="Tags"/>
          </Annotations>
        </Schema>
      </edmx:DataServices>
    </edmx:Edmx>
    """

  /// What metadata each fixture is, whichever way it is cut, in a name for messages.
  static let all: [(name: String, text: String)] = [
    ("OData 2", shop2), ("OData 3", shop3), ("OData 4 in XML", shop4), ("OData 4 in JSON", shop4JSON),
  ]

  static func read(_ text: String) throws -> ServiceMetadata {
    try ServiceMetadata(reading: Array(text.utf8))
  }
}
